from google import genai
from google.genai import types
from harness import loop, serve


def client(task):
    options = types.HttpOptions(base_url=task["url"], retry_options=types.HttpRetryOptions(attempts=1))
    return genai.Client(api_key=task["key"], vertexai=False, http_options=options)


def plain(task):
    # One that nobody holds closes itself within its call.
    opened = client(task)
    return opened.models.generate_content(model=task["model"], contents=task["question"]).text


def tool_loop(task):
    contents = [types.Content(role="user", parts=[types.Part(text=task["question"])])]
    functions = [
        types.FunctionDeclaration(
            name=tool["name"], description=tool["description"], parameters_json_schema=tool["parameters"]
        )
        for tool in task["tools"]
    ]
    config = types.GenerateContentConfig(
        system_instruction="Be careful.",
        tools=[types.Tool(function_declarations=functions)],
        thinking_config=types.ThinkingConfig(include_thoughts=True),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )

    opened = client(task)

    def turn():
        parts = []
        for chunk in opened.models.generate_content_stream(model=task["model"], contents=contents, config=config):
            for candidate in chunk.candidates or []:
                if candidate.content is not None:
                    parts.extend(candidate.content.parts or [])
        contents.append(types.Content(role="model", parts=parts))
        text = "".join(part.text for part in parts if part.text and not part.thought)
        thought = "".join(part.text for part in parts if part.text and part.thought)
        calls = [
            {"id": part.function_call.id, "name": part.function_call.name, "input": part.function_call.args}
            for part in parts
            if part.function_call
        ]
        return text, thought, calls

    def give(calls):
        parts = [
            types.Part(
                function_response=types.FunctionResponse(
                    id=call["id"], name=call["name"], response={"output": call["result"]}
                )
            )
            for call in calls
        ]
        contents.append(types.Content(role="user", parts=parts))

    return loop(turn, give)


def count(task):
    opened = client(task)
    return opened.models.count_tokens(model=task["model"], contents=task["question"]).total_tokens > 0


def embed(task):
    opened = client(task)
    answer = opened.models.embed_content(model=task["model"], contents=["a", "b"])
    return [len(item.values) for item in answer.embeddings]


def models(task):
    opened = client(task)
    return "models/" + task["model"] in [model.name for model in opened.models.list()]


serve(plain=plain, loop=tool_loop, count=count, embeddings=embed, models=models)
