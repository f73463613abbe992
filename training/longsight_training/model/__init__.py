"""The base model in PyTorch: loading, the LoRA, and the attention that tells its scores."""
