import { logType } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedLog, OpenSiteParts } from '../site.ts'
import { moment, readRow, real, text, whole } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'
import { nameFrom, unitsOf } from './figures.ts'
import type { Structure } from './structure.ts'

export const logTable = 'LiteLLM_SpendLogs'

const logRow = z.object({
  request_id: text,
  api_key: text,
  spend: real,
  prompt_tokens: whole,
  completion_tokens: whole,
  startTime: moment,
  endTime: moment,
  model: text,
  model_id: text,
  model_group: text,
  user: text,
  team_id: text,
  organization_id: text,
  requester_ip_address: text,
  status: text,
  metadata: z.unknown().optional(),
})

const metadataShape = z.object({
  user_api_key_alias: text,
  usage_object: z
    .object({ prompt_tokens_details: z.object({ cached_tokens: z.number() }) })
    .optional()
    .catch(undefined),
})

const noDetails = { user_api_key_alias: '', usage_object: undefined }

/** Rows hold whole requests and answers, too, where the operator wished it. */
const columns = Object.keys(logRow.shape)

const detailsOf = (metadata: unknown): Pick<MovedLog, 'tokenName' | 'other'> => {
  const { user_api_key_alias: tokenName, usage_object: usage } = metadataShape.catch(noDetails).parse(metadata)
  const cached = usage?.prompt_tokens_details.cached_tokens ?? 0
  return { tokenName, other: cached > 0 ? { cache_tokens: cached } : {} }
}

/** The spend logs; calls with a team's key stand with the organisation that pays for them here. */
export async function* litellmLogs(
  { source, quotaPerUnit }: OpenSiteParts,
  { placeOf }: Pick<Structure, 'placeOf'>,
): AsyncGenerator<readonly MovedLog[]> {
  for await (const rows of pagesOf(source, logTable, 'request_id', { size: 1000, columns })) {
    yield rows
      .map((cells) => readRow(logRow, cells, logTable))
      .map((row) => ({
        sourceId: row.request_id,
        userId: row.user,
        organisationId: placeOf({ ...row, user_id: row.user, project_id: '' })?.organisationId ?? '',
        tokenId: row.api_key,
        channelId: row.model_id,
        createdAt: row.startTime ?? 0,
        type: row.status === 'failure' ? logType.error : logType.consume,
        content: '',
        username: row.user === '' ? '' : nameFrom(row.user),
        modelName: row.model_group || row.model,
        quota: unitsOf(row.spend ?? 0, quotaPerUnit),
        promptTokens: row.prompt_tokens,
        completionTokens: row.completion_tokens,
        useTime: Math.max(0, (row.endTime ?? 0) - (row.startTime ?? 0)),
        isStream: false,
        group: 'default',
        ip: row.requester_ip_address,
        ...detailsOf(row.metadata),
      }))
  }
}
