import { channelTestLabel, logType } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { CorrectionFilter } from './store.ts'

/** Calls that the log has as charged, of some models, channels and users. */
export const loggedCalls = ({ query }: Database, { models, channels, users }: CorrectionFilter) => {
  let calls = query.selectFrom('logs').where('type', '=', logType.consume).where('token_name', '!=', channelTestLabel)
  if (models.length > 0) calls = calls.where('model_name', 'in', [...models])
  if (channels.length > 0) calls = calls.where('channel_id', 'in', [...channels])
  if (users.length > 0) calls = calls.where('user_id', 'in', [...users])
  return calls
}
