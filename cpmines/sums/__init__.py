"""What problems on tables of 3x3 sums share: tables, values, questions, the judge, the Model, brute force."""
