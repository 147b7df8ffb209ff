"""A pydantic model: the suite of it is booking.suite.yaml."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field


class Board(StrEnum):
    NONE = "none"
    HALF = "half"


class Guest(BaseModel):
    full_name: str
    email: Annotated[str, Field(json_schema_extra={"format": "email"})]
    age: int | None = None


class Room(BaseModel):
    room_number: str = Field(examples=["412"])
    guests: list[Guest]
    rate: Decimal = Field(json_schema_extra={"x-evalctl": {"match": "numeric_tolerance", "tolerance": 0.01}})


class Booking(BaseModel):
    reference: UUID
    hotel: str
    arrival: date
    booked_at: datetime
    board: Board
    source: Literal["web", "desk"]
    rooms: list[Room] = Field(json_schema_extra={"x-evalctl": {"key": "room_number"}})
    total: float
    extras: dict[str, float]
    remarks: str = ""
