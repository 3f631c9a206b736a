from harness import loop, serve
from langchain_core.messages import HumanMessage, SystemMessage, ToolMessage


def model_of(task):
    if task["api"] == "anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(
            model=task["model"],
            base_url=task["url"],
            api_key=task["key"],
            max_retries=0,
            max_tokens=3000,
            thinking={"type": "enabled", "budget_tokens": 1024},
        )
    from langchain_openai import ChatOpenAI

    common = {"model": task["model"], "base_url": task["url"] + "/v1", "api_key": task["key"], "max_retries": 0}
    if task["api"] == "responses":
        return ChatOpenAI(
            **common,
            use_responses_api=True,
            store=False,
            include=["reasoning.encrypted_content"],
            reasoning={"effort": "medium", "summary": "auto"},
        )
    # It takes Responses by itself for models whose names it knows.
    return ChatOpenAI(**common, use_responses_api=False, reasoning_effort="medium", stream_usage=True)


def thought_of(message):
    blocks = [block for block in message.content_blocks if block["type"] == "reasoning"]
    return "".join(block.get("reasoning", "") for block in blocks)


def plain(task):
    return model_of(task).invoke(task["question"]).text


def tool_loop(task):
    messages = [SystemMessage("Be careful."), HumanMessage(task["question"])]
    tools = [
        {"type": "function", "function": {**tool, "strict": False} if task["api"] == "responses" else tool}
        for tool in task["tools"]
    ]
    model = model_of(task).bind_tools(tools)

    def turn():
        message = None
        for chunk in model.stream(messages):
            message = chunk if message is None else message + chunk
        messages.append(message)
        calls = [{"id": call["id"], "name": call["name"], "input": call["args"]} for call in message.tool_calls]
        return message.text, thought_of(message), calls

    def give(calls):
        for call in calls:
            messages.append(ToolMessage(call["result"], tool_call_id=call["id"]))

    return loop(turn, give)


def count(task):
    return model_of(task).get_num_tokens_from_messages([HumanMessage(task["question"])]) > 0


def embed(task):
    from langchain_openai import OpenAIEmbeddings

    opened = OpenAIEmbeddings(
        model=task["model"], base_url=task["url"] + "/v1", api_key=task["key"], max_retries=0, check_embedding_ctx_length=False
    )
    return [len(one) for one in opened.embed_documents(["a", "b"])]


serve(plain=plain, loop=tool_loop, count=count, embeddings=embed)
