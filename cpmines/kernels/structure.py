"""Arrays of a kernel together, each an attribute of a class of C."""

__all__ = ["Structure"]


class Structure:
    """Base of classes whose attributes are set by name when one is made."""

    def __init__(self, **attributes: object) -> None:
        for name, value in attributes.items():
            setattr(self, name, value)
