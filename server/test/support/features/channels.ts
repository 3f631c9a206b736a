import type { RelayColumns } from '../../../src/features/channels/relay-channel.ts'
import { openai } from '../../../src/providers/openai/provider.ts'

/** Columns of an enabled OpenAI channel that serves gpt-4o to `default`; its key is not encrypted. */
export const relayRow = (change: Partial<RelayColumns> = {}): RelayColumns => ({
  id: 1,
  type: openai.type,
  key_cipher: 'sk-one',
  openai_organization: null,
  max_input_tokens: 0,
  status: 1,
  name: 'first',
  weight: 0,
  base_url: '',
  other: '',
  models: 'gpt-4o',
  group: 'default',
  tag: null,
  model_mapping: null,
  status_code_mapping: null,
  priority: 0,
  auto_ban: 1,
  setting: null,
  param_override: null,
  off_keys: [],
  ...change,
})
