import voyageai
from harness import serve


def client(task):
    return voyageai.Client(api_key=task["key"], base_url=task["url"] + "/v1", max_retries=0, timeout=80)


def embed(task):
    answer = client(task).embed(["a", "b"], model=task["model"], input_type="document")
    return [[len(item) for item in answer.embeddings], answer.total_tokens]


def rerank(task):
    answer = client(task).rerank("q", ["a", "b"], model=task["model"])
    return [[item.index, item.document] for item in answer.results]


def wrong_key(task):
    try:
        embed({**task, "key": "sk-wrong"})
    except voyageai.error.VoyageError as error:
        return type(error).__name__


serve(**{"embeddings": embed, "rerank": rerank, "wrong key": wrong_key})
