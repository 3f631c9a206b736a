import json

from harness import gives_chat, gives_items, loop, serve
from openai import OpenAI


def client(task):
    return OpenAI(base_url=task["url"] + "/v1", api_key=task["key"], max_retries=0)


def plain(task):
    if task["api"] == "responses":
        answer = client(task).responses.create(model=task["model"], input=task["question"])
        return answer.output_text
    messages = [{"role": "user", "content": task["question"]}]
    answer = client(task).chat.completions.create(model=task["model"], messages=messages)
    return answer.choices[0].message.content


def chat_loop(task):
    messages = [{"role": "system", "content": "Be careful."}, {"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "function": tool} for tool in task["tools"]]

    def turn():
        text, thought, calls = "", "", []
        with client(task).chat.completions.stream(
            model=task["model"],
            messages=messages,
            tools=tools,
            reasoning_effort="medium",
            stream_options={"include_usage": True},
        ) as stream:
            for event in stream:
                if event.type == "chunk" and event.chunk.choices:
                    thought += getattr(event.chunk.choices[0].delta, "reasoning_content", None) or ""
            message = stream.get_final_completion().choices[0].message
        text = message.content
        messages.append(message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in message.tool_calls or []:
            calls.append({"id": call.id, "name": call.function.name, "input": json.loads(call.function.arguments)})
        for call in messages[-1].get("tool_calls", []):
            call["function"].pop("parsed_arguments", None)
        return text, thought, calls

    return loop(turn, gives_chat(messages))


def responses_loop(task):
    items = [{"role": "user", "content": task["question"]}]
    tools = [{"type": "function", "strict": False, **tool} for tool in task["tools"]]

    def turn():
        with client(task).responses.stream(
            model=task["model"],
            instructions="Be careful.",
            input=items,
            tools=tools,
            store=False,
            include=["reasoning.encrypted_content"],
            reasoning={"effort": "medium", "summary": "auto"},
        ) as stream:
            for _ in stream:
                pass
            answer = stream.get_final_response()
        thought, calls = "", []
        for item in answer.output:
            given = item.model_dump(exclude_none=True)
            given.pop("parsed_arguments", None)
            for part in given.get("content") or []:
                part.pop("parsed", None)
            items.append(given)
            if item.type == "reasoning":
                thought += "".join(part.text for part in item.summary)
            if item.type == "function_call":
                calls.append({"id": item.call_id, "name": item.name, "input": json.loads(item.arguments)})
        return answer.output_text, thought, calls

    return loop(turn, gives_items(items))


def embed(task):
    answer = client(task).embeddings.create(model=task["model"], input=["a", "b"], encoding_format="float")
    return [[len(item.embedding) for item in answer.data], answer.usage.total_tokens]


def models(task):
    return task["model"] in [model.id for model in client(task).models.list()]


def count(task):
    return client(task).responses.input_tokens.count(model=task["model"], input=task["question"]).input_tokens > 0


serve(
    plain=plain,
    loop=lambda task: responses_loop(task) if task["api"] == "responses" else chat_loop(task),
    embeddings=embed,
    models=models,
    count=count,
)
