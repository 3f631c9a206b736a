import type { LogEntry, LogOther } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'

/** A log row for tests; `other` is printed as the server does. */
export const testLog = ({
  other = {},
  ...fields
}: Partial<Omit<LogEntry, 'other'>> & { other?: LogOther } = {}): LogEntry => ({
  id: 1,
  user_id: 7,
  created_at: 1_763_600_000,
  type: 2,
  content: '',
  username: 'alice',
  token_name: 'production',
  token_id: 3,
  model_name: 'gpt-4o',
  quota: 6542,
  prompt_tokens: 3102,
  completion_tokens: 988,
  use_time: 9,
  is_stream: false,
  channel: 4,
  channel_name: 'Main',
  group: 'vip',
  request_id: 'req-1',
  ip: '',
  other: JSON.stringify(other),
  ...fields,
})

/** The first page of a list. */
export const testPage = (items: readonly unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })

/** Answers that the screen of the log needs whatever is tested. */
export const logAnswers = {
  'GET /api/user/models': () => ['gpt-4o'],
  'GET /api/user/self/groups': () => ({ vip: { desc: 'VIP', ratio: 0.8 } }),
  'GET /api/token/browse': () => testPage([]),
}

export const signInAs = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })
