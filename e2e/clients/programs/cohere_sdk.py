import json

import cohere
from harness import gives_chat, loop, serve


def client(task):
    return cohere.ClientV2(api_key=task["key"], base_url=task["url"], timeout=80)


once = {"max_retries": 0}


def plain(task):
    messages = [{"role": "user", "content": task["question"]}]
    answer = client(task).chat(model=task["model"], messages=messages, request_options=once)
    return "".join(part.text for part in answer.message.content or [] if part.type == "text")


def tool_loop(task):
    messages = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "function": tool} for tool in task["tools"]]
    opened = client(task)

    def turn():
        text, thought, plan, calls, content = "", "", "", [], []
        for event in opened.chat_stream(
            model=task["model"], messages=messages, tools=tools, thinking={"type": "enabled"}, request_options=once
        ):
            delta = getattr(event, "delta", None)
            message = getattr(delta, "message", None)
            # Its client hands an error on as the end of a stream.
            if event.type == "message-end" and delta.finish_reason == "ERROR":
                raise RuntimeError(delta.error)
            if event.type == "content-start":
                content.append({"type": message.content.type, message.content.type: ""})
            if event.type == "content-delta":
                part = message.content
                text += part.text or ""
                thought += part.thinking or ""
                content[-1][content[-1]["type"]] += part.text or part.thinking or ""
            elif event.type == "tool-plan-delta":
                plan += message.tool_plan
            elif event.type == "tool-call-start":
                calls.append(message.tool_calls.model_dump())
            elif event.type == "tool-call-delta":
                calls[-1]["function"]["arguments"] += message.tool_calls.function.arguments
        message = {"role": "assistant", "content": content}
        if calls:
            message["tool_calls"] = calls
        if plan:
            message["tool_plan"] = plan
        messages.append({name: value for name, value in message.items() if value})
        return (
            text + plan,
            thought,
            [
                {"id": call["id"], "name": call["function"]["name"], "input": json.loads(call["function"]["arguments"])}
                for call in calls
            ],
        )

    return loop(turn, gives_chat(messages))


def v1(task):
    opened = cohere.Client(api_key=task["key"], base_url=task["url"], timeout=80)
    return opened.chat(model=task["model"], message=task["question"], request_options=once).text


def embed(task):
    answer = client(task).embed(
        model=task["model"], texts=["a", "b"], input_type="search_document", embedding_types=["float"]
    )
    return [len(item) for item in answer.embeddings.float_]


def rerank(task):
    answer = client(task).rerank(model=task["model"], query="q", documents=["a", "b"], top_n=2)
    return [item.index for item in answer.results]


def models(task):
    return task["model"] in [model.name for model in client(task).models.list().models]


serve(plain=plain, loop=tool_loop, v1=v1, embeddings=embed, rerank=rerank, models=models)
