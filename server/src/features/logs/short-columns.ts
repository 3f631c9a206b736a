import { beginningOf, isAnyLonger, unlessLonger } from '../../db/short-text.ts'

/** Characters of a row's long texts that lists carry; rows of earlier versions may have millions. */
const listed = { content: 1000, other: 16_000 }

/** The columns of a row as lists read them. */
export const shortColumns = [
  'id',
  'user_id',
  'created_at',
  'type',
  beginningOf('content', listed.content).as('content'),
  'username',
  'token_name',
  'token_id',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'is_stream',
  'channel_id',
  'group',
  'request_id',
  'ip',
  'tags',
  'end_user',
  'provisional',
  unlessLonger('other', listed.other).as('other'),
  isAnyLonger(listed).as('cut'),
] as const
