"""What is given away, one step a module: `run(plan)`, also called by hand (`build.py`)."""
