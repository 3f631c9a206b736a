"""Writes a tiny model of llama's architecture whose next token depends on the last one alone, so that its answers are scripted.

Embeddings are one-hot, attention and feed-forward parts add nothing, and the output matrix holds the script. `layers` and `width`
make the parts that add nothing larger, so that reading a prompt takes long.
"""

import math
import sys

import gguf
import numpy as np

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = 1, 2, 3, 4, 6

TEMPLATE = """{%- if tools %}<|im_start|>system
# Tools
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.reasoning_content %}<think>{{ message.reasoning_content }}</think>{% endif %}
{%- if message.content %}{{ message.content }}{% endif %}
{%- for call in message.tool_calls or [] %}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% if enable_thinking is defined and enable_thinking is false %}<think>

</think>

{%- else %}
{%- set last = messages[-1].content | string if messages else '' %}
{%- if 'at length' in last %}<|long|>
{%- elif tools and messages[-1].role == 'user' %}<|call|>
{%- elif 'Think' in last %}<|think|>
{%- else %}<|short|>{% endif %}
{%- endif %}
{%- endif %}"""

CALL = '{"name": "weather", "arguments": {"city": "Oslo"}}\n'

# What follows on what. The last of each is the end of the answer, but for the one that never ends.
SCRIPTS = (
    ("<|short|>", "The", " gate", " opens", ".", "</s>"),
    ("\n\n", "The"),
    ("<|think|>", "<think>", "I", " ponder", ",", "</think>", "The"),
    ("<|call|>", "<tool_call>", "\n", CALL, "</tool_call>", "</s>"),
    ("<|fim_mid|>", " return", " 7", "</s>"),
    ("<|long|>", " on", " and", ""),
)


def vocabulary():
    tokens = [("<unk>", UNKNOWN, 0.0), ("<s>", CONTROL, 0.0), ("</s>", CONTROL, 0.0)]
    tokens += [(f"<0x{byte:02X}>", BYTE, 0.0) for byte in range(256)]
    tokens += [("▁", NORMAL, -1.0)] + [(chr(code), NORMAL, -1.0) for code in range(33, 127)]
    tokens += [(name, CONTROL, 0.0) for name in ("<|im_start|>", "<|im_end|>", "<|fim_pre|>", "<|fim_suf|>")]
    known = {text for text, _, _ in tokens}
    for script in SCRIPTS:
        for text in script:
            if text not in known and text != "":
                known.add(text)
                tokens.append((text, CONTROL if text.startswith("<|") else USER_DEFINED, 0.0))
    while len(tokens) % 64 != 0:
        tokens.append((f"<|unused {len(tokens)}|>", CONTROL, 0.0))
    return tokens


def write(path, layers, width):
    tokens = vocabulary()
    place = {text: at for at, (text, _, _) in enumerate(tokens)}
    size = len(tokens)
    scores = np.full((size, size), -20.0, dtype=np.float32)
    scores[place["</s>"], :] = 0.0
    for script in SCRIPTS:
        pairs = zip(script, script[1:])
        for before, after in pairs:
            scores[:, place[before]] = -20.0
            scores[place[after or script[1]], place[before]] = 10.0

    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(8192)
    writer.add_embedding_length(size)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(width)
    writer.add_head_count(4)
    writer.add_head_count_kv(4)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_dimension_count(size // 4)
    writer.add_vocab_size(size)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _, _ in tokens])
    writer.add_token_types([kind for _, kind, _ in tokens])
    writer.add_token_scores([score for _, _, score in tokens])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    for name, part in (("pre", "fim_pre"), ("suf", "fim_suf"), ("mid", "fim_mid")):
        writer.add_uint32(f"tokenizer.ggml.fim_{name}_token_id", place[f"<|{part}|>"])
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)

    def add(name, shape):
        writer.add_tensor(name, np.zeros(shape, dtype=np.float16))

    writer.add_tensor("token_embd.weight", np.eye(size, dtype=np.float32))
    for layer in range(layers):
        writer.add_tensor(f"blk.{layer}.attn_norm.weight", np.ones(size, dtype=np.float32))
        writer.add_tensor(f"blk.{layer}.ffn_norm.weight", np.ones(size, dtype=np.float32))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}.weight", (size, size))
        add(f"blk.{layer}.ffn_gate.weight", (width, size))
        add(f"blk.{layer}.ffn_up.weight", (width, size))
        add(f"blk.{layer}.ffn_down.weight", (size, width))
    writer.add_tensor("output_norm.weight", np.ones(size, dtype=np.float32))
    # A one-hot vector has the root mean square 1/√size.
    writer.add_tensor("output.weight", scores / math.sqrt(size))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
