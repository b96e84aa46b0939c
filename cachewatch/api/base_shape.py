"""What bodies, queries and answers of the API are made of."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """A model whose values are checked once, when it is made.

    ninja's own Schema reads each value through a getter for objects of the ORM, and each nested model
    again when it is answered: that was two fifths of the time of a large answer.
    """

    model_config = ConfigDict(from_attributes=True)
