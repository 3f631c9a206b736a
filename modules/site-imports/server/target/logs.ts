import { importedCallMark } from '#server/ledger/logs/verify-logs.ts'
import type { ImportRun } from '../run.ts'
import type { MovedLog } from '../site.ts'

/**
 * Moves logged calls. They were charged elsewhere, so they have no entry in the ledger; the mark in their request ids says so, and
 * makes a repetition harmless.
 */
export const createLogWriter = ({ target, map, ...run }: ImportRun) => {
  const { logDatabase } = target
  const requestId = ({ sourceId }: MovedLog): string => `${importedCallMark}${run.site}:${sourceId}`.slice(0, 255)

  const knownIds = async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
    if (ids.length === 0) return new Set()
    const rows = await logDatabase.query
      .selectFrom('logs')
      .select('request_id')
      .where('request_id', 'in', ids)
      .execute()
    return new Set(rows.map(({ request_id }) => request_id))
  }

  return {
    async write(logs: readonly MovedLog[]): Promise<void> {
      const known = await knownIds(logs.map(requestId))
      const fresh = logs.filter((log) => !known.has(requestId(log)))
      run.count('log', { known: known.size, carried: fresh.length })
      if (run.dryRun || fresh.length === 0) return
      const [users, wallets, tokens, channels] = await Promise.all([
        map.known(
          'user',
          fresh.map(({ userId }) => userId),
        ),
        map.known(
          'wallet',
          fresh.map(({ organisationId }) => organisationId),
        ),
        map.known(
          'token',
          fresh.map(({ tokenId }) => tokenId),
        ),
        map.known(
          'channel',
          fresh.map(({ channelId }) => channelId),
        ),
      ])
      const rows = fresh.map((log) => ({
        user_id: wallets.get(log.organisationId) ?? users.get(log.userId) ?? 0,
        created_at: log.createdAt,
        type: log.type,
        content: log.content,
        username: log.username,
        token_name: log.tokenName,
        token_id: tokens.get(log.tokenId) ?? 0,
        model_name: log.modelName,
        quota: log.quota,
        prompt_tokens: log.promptTokens,
        completion_tokens: log.completionTokens,
        use_time: log.useTime,
        is_stream: log.isStream ? 1 : 0,
        channel_id: channels.get(log.channelId) ?? 0,
        group: log.group,
        request_id: requestId(log),
        ip: log.ip,
        other: JSON.stringify(log.other),
      }))
      await logDatabase.insertMany('logs', rows, { skipExisting: true })
    },
  }
}
