"""The public door of LegalWorld: these names, and the public attributes of what they stand for, stay as they are."""

from .api.errors import LegalWorldError as LegalWorldError
from .api.errors import worded as worded
from .api.evaluation import Evaluated as Evaluated
from .api.project import Procedure as Procedure
from .api.project import Project as Project
from .api.project import open_project as open_project
from .api.run import Run as Run
from .api.run import RunInterrupted as RunInterrupted
from .api.run import Runs as Runs
from .api.run import RunStopped as RunStopped
from .api.run import Stream as Stream
from .api.tables import Table as Table
from .evaluation.results import Evaluation as Evaluation
from .model.diagnostics import Diagnostic as Diagnostic
from .model.events import Event as Event
from .model.events import Reply as Reply
from .model.events import Request as Request
from .model.version import __version__ as __version__
from .runs.callables import Actor as Actor
