/** Names of the table's columns in the file that the server writes. */
const namesById: ReadonlyMap<string, readonly string[]> = new Map([
  ['id', ['id', 'time']],
  ['token', ['username', 'token_name']],
  ['model', ['model_name', 'upstream_model_name']],
  ['channel', ['channel', 'channel_name']],
  ['result', ['type', 'status', 'error_code']],
  ['use_time', ['first_token_ms', 'duration_ms', 'is_stream']],
  ['prompt_tokens', ['prompt_tokens']],
  ['cached', ['cache_tokens']],
  ['completion_tokens', ['completion_tokens']],
  ['quota', ['quota', 'amount_usd', 'provisional']],
  ['group', ['group']],
  ['type', ['type']],
  ['username', ['user_id', 'username']],
  ['upstream_cost', ['cost']],
  ['margin', ['margin']],
  ['retry', ['retry']],
  ['organisation', ['organisation']],
  ['project', ['project']],
  ['member', ['member']],
  ['tags', ['tags']],
  ['end_user', ['end_user']],
  ['details', ['content']],
  ['client', ['client']],
  ['ip', ['ip']],
  ['request_id', ['request_id']],
])

/** The columns of an exported log for the shown ones; the request's id is always among them. */
export const exportColumns = (shown: readonly string[]): readonly string[] => [
  ...new Set([...shown.flatMap((id) => namesById.get(id) ?? []), 'request_id']),
]
