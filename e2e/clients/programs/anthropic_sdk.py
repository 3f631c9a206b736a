from anthropic import Anthropic
from harness import loop, serve


def client(task):
    return Anthropic(base_url=task["url"], api_key=task["key"], max_retries=0)


def plain(task):
    messages = [{"role": "user", "content": task["question"]}]
    answer = client(task).messages.create(model=task["model"], max_tokens=3000, messages=messages)
    return "".join(block.text for block in answer.content if block.type == "text")


def tool_loop(task):
    messages = [{"role": "user", "content": task["question"]}]
    tools = [
        {"name": tool["name"], "description": tool["description"], "input_schema": tool["parameters"]}
        for tool in task["tools"]
    ]

    def turn():
        with client(task).messages.stream(
            model=task["model"],
            max_tokens=3000,
            system="Be careful.",
            messages=messages,
            tools=tools,
            thinking={"type": "enabled", "budget_tokens": 1024},
        ) as stream:
            for _ in stream:
                pass
            message = stream.get_final_message()
        messages.append({"role": "assistant", "content": message.content})
        blocks = message.content
        text = "".join(block.text for block in blocks if block.type == "text")
        thought = "".join(block.thinking for block in blocks if block.type == "thinking")
        calls = [
            {"id": block.id, "name": block.name, "input": block.input} for block in blocks if block.type == "tool_use"
        ]
        return text, thought, calls

    def give(calls):
        content = [{"type": "tool_result", "tool_use_id": call["id"], "content": call["result"]} for call in calls]
        messages.append({"role": "user", "content": content})

    return loop(turn, give)


def count(task):
    messages = [{"role": "user", "content": task["question"]}]
    return client(task).messages.count_tokens(model=task["model"], messages=messages).input_tokens > 0


def models(task):
    return task["model"] in [model.id for model in client(task).models.list(limit=100)]


serve(plain=plain, loop=tool_loop, count=count, models=models)
