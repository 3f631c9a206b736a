from gigachat import GigaChat
from gigachat.models import Chat
from harness import serve


def client(task):
    return GigaChat(base_url=task["url"] + "/v1", access_token=task["key"], max_retries=0, timeout=80)


def asked(task):
    messages = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": task["question"]}]
    return Chat.model_validate({"model": task["model"], "messages": messages})


def plain(task):
    return client(task).chat(asked(task)).choices[0].message.content


def streamed(task):
    """A turn without tools: GigaChat's calls of functions are a dialect of its own."""
    text, thought = "", ""
    for chunk in client(task).stream(asked(task)):
        for choice in chunk.choices:
            text += choice.delta.content or ""
            thought += choice.delta.reasoning_content or ""
    return [{"text": text, "thought": thought, "calls": []}]


def models(task):
    return task["model"] in [model.id_ for model in client(task).get_models().data]


serve(plain=plain, loop=streamed, models=models)
