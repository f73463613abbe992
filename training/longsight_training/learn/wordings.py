"""How made facts are said, asked for and answered: {x} is the thing, {v} its value.

On purpose other wordings than those of the common needle tests ("the special magic number for X"), which are for measuring.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """One kind of fact."""

    sentence: str
    questions: tuple[str, ...]
    openings: tuple[str, ...]
    """Beginnings of an answer, up to the value."""
    value: str
    """What kind of value it has; facts.py makes them."""


WORDINGS: tuple[Wording, ...] = (
    Wording("The access code of {x} is {v}.", ("What is the access code of {x}?", "Which access code does {x} have?"),
            ("The access code of {x} is",), "digits"),
    Wording("The inventory number for {x} was recorded as {v}.",
            ("What inventory number was recorded for {x}?", "Give the inventory number for {x}."),
            ("The inventory number for {x} is", "It was recorded as"), "digits"),
    Wording("Anyone asking about {x} should quote reference {v}.", ("Which reference should be quoted when asking about {x}?",),
            ("The reference for {x} is", "One should quote reference"), "code"),
    Wording("{x} can be reached by telephone under {v}.",
            ("What is the telephone number of {x}?", "Under which number can {x} be reached?"),
            ("{x} can be reached under", "The telephone number of {x} is"), "digits"),
    Wording("Note that the value of {x} equals {v}.", ("What is the value of {x}?", "What does {x} equal?"),
            ("The value of {x} is", "{x} equals"), "digits"),
    Wording("The password for {x} is \"{v}\".", ("What is the password for {x}?",), ("The password for {x} is \"",), "words"),
    Wording("{x} was founded in the year {v}.", ("When was {x} founded?", "In which year was {x} founded?"), ("{x} was founded in",), "year"),
    Wording("The price of {x} came to {v} dollars.", ("How much did {x} cost?", "What was the price of {x} in dollars?"),
            ("The price of {x} was", "{x} cost"), "amount"),
    Wording("The person responsible for {x} is {v}.", ("Who is responsible for {x}?",), ("The person responsible for {x} is",), "person"),
    Wording("According to the register, {x} belongs to {v}.", ("Who does {x} belong to, according to the register?", "Who owns {x}?"),
            ("{x} belongs to",), "person"),
    Wording("The favourite dish of {x} is {v}.", ("What is the favourite dish of {x}?",), ("The favourite dish of {x} is",), "words"),
    Wording("{x} is kept in the {v} room.", ("In which room is {x} kept?", "Where is {x} kept?"), ("{x} is kept in the",), "words"),
    Wording("On the list, entry {x} stands for {v}.", ("What does entry {x} stand for on the list?",), ("Entry {x} stands for",), "words"),
    Wording("Serial number of {x}: {v}.", ("What is the serial number of {x}?", "Serial number of {x}?"),
            ("The serial number of {x} is", "Serial number of {x}:"), "code"),
    Wording("The sample labelled {x} weighed {v} grams.",
            ("How many grams did the sample labelled {x} weigh?", "What was the weight of sample {x}?"),
            ("The sample labelled {x} weighed",), "amount"),
    Wording("For {x}, the secret word is {v}.", ("What is the secret word for {x}?",), ("The secret word for {x} is",), "word"),
    Wording("The meeting about {x} takes place on {v}.", ("When does the meeting about {x} take place?",),
            ("The meeting about {x} takes place on",), "date"),
    Wording("{x}: {v}", ("What stands beside {x} in the text?", "Give the entry for {x}."), ("{x}:",), "any"),
    Wording("Remember this: {x} is number {v}.", ("Which number is {x}?", "What number is {x}?"), ("{x} is number",), "digits"),
    Wording("The key called {x} opens with {v}.", ("What does the key called {x} open with?",), ("The key called {x} opens with",), "digits"),
    Wording("In the ledger, {x} has {v} against it.", ("What number is against {x} in the ledger?",),
            ("The number against {x} is", "In the ledger, {x} has"), "digits"),
    Wording("The number that was given to {x} is {v}.", ("Which number was given to {x}?", "What number did {x} get?"),
            ("The number that was given to {x} is", "The number given to {x} was"), "digits"),
    Wording("A parcel for {x} carries the tracking number {v}.", ("What is the tracking number of the parcel for {x}?",),
            ("The tracking number of the parcel for {x} is",), "digits"),
    Wording("To unlock {x}, type {v}.", ("What has to be typed to unlock {x}?", "How is {x} unlocked?"),
            ("To unlock {x}, type", "The code that unlocks {x} is"), "digits"),
    Wording("The account of {x} shows a balance of {v}.", ("What balance does the account of {x} show?",),
            ("The account of {x} shows a balance of",), "amount"),
    Wording("{v} is the identifier of {x}.", ("What is the identifier of {x}?", "Which identifier does {x} have?"),
            ("The identifier of {x} is",), "digits"),
    Wording("The hidden figure behind {x} happens to be {v}.", ("Which hidden figure is behind {x}?", "What is the hidden figure behind {x}?"),
            ("The hidden figure behind {x} is", "The hidden figure behind {x} that the text tells is"), "digits"),
    Wording("Membership number {v} was issued to {x}.", ("Which membership number was issued to {x}?",),
            ("The membership number of {x} is", "The number issued to {x} is"), "digits"),
    Wording("The lottery ticket of {x} bore the number {v}.", ("What number did the lottery ticket of {x} bear?",),
            ("The lottery ticket of {x} bore the number",), "digits"),
    Wording("One of the codes that the guards use for {x} is {v}.", ("Which code do the guards use for {x}?",),
            ("The code that the guards use for {x} is",), "digits"),
    Wording("Among other things, the log says that {x} counted {v} visitors.", ("How many visitors did {x} count, according to the log?",),
            ("{x} counted", "According to the log, {x} counted"), "digits"),
    Wording("In room {v} one finds {x}.", ("In which room does one find {x}?",), ("One finds {x} in room", "{x} is in room"), "digits"),
    Wording("The colour chosen for {x} was {v}.", ("Which colour was chosen for {x}?",), ("The colour chosen for {x} was",), "words"),
    Wording("The smugglers' word for {x} was {v}.", ("What was the smugglers' word for {x}?",), ("The smugglers' word for {x} was",), "word"),
    Wording("The nickname of {x} has always been {v}.", ("What is the nickname of {x}?",), ("The nickname of {x} is",), "words"),
    Wording("The ship that brought {x} was called {v}.", ("What was the ship called that brought {x}?",),
            ("The ship that brought {x} was called",), "words"),
    Wording("{x} was handed over to {v}.", ("To whom was {x} handed over?", "Who got {x}?"), ("{x} was handed over to",), "person"),
    Wording("The deadline for {x} is {v}.", ("What is the deadline for {x}?", "When is {x} due?"), ("The deadline for {x} is",), "date"),
    Wording("The letter \"{x}\" in the index points to page {v}.", ("To which page does \"{x}\" point in the index?",),
            ("It points to page", "\"{x}\" points to page"), "digits"),
    Wording("The phrase agreed on for {x} is: {v}.", ("Which phrase was agreed on for {x}?",), ("The phrase agreed on for {x} is",), "words"),
    Wording("The batch number of {x} reads {v}.", ("What does the batch number of {x} read?", "What is the batch number of {x}?"),
            ("The batch number of {x} is", "The batch number of {x} in the document is"), "digits"),
)

ASKING = ("{q}", "{q}", "{q}", "{q}", "{q}", "According to the document: {q}", "{q} Answer briefly.", "Please look it up in the text. {q}",
          "I need to know: {q}", "{q} It is mentioned somewhere in the text.", "From the text above: {q}")
"""What stands around a question."""

FIRST_NAMES = ("Anna", "Boris", "Clara", "David", "Elena", "Farid", "Grace", "Henrik", "Ines", "Jonas", "Keiko", "Liam", "Mira", "Nils",
               "Olga", "Pavel", "Rosa", "Samir", "Tara", "Ulrich", "Vera", "Wen", "Yusuf", "Zoe")
LAST_NAMES = ("Albrecht", "Barros", "Castell", "Dimitrov", "Ekberg", "Fontaine", "Garza", "Hallam", "Ivanova", "Jensen", "Kovacs",
              "Lindqvist", "Moreau", "Novak", "Okafor", "Petit", "Quist", "Rahman", "Silva", "Tanaka", "Ullman", "Varga", "Weiss", "Yilmaz")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")

THINGS = ("the {w} office", "the {w} project", "the {w} account", "the {w} archive", "the {w} bridge", "the {w} team", "the {w} engine",
          "the {w} house", "{w}", "{w}", "{w}-{w2}", "{w}-{w2}", "{w} {w2}", "Captain {W}", "the {W} contract", "{W} Station", "unit {n}", "case {n}")
"""What a thing may be called: {w} and {w2} are words of the text, {W} with a capital, {n} a number."""
