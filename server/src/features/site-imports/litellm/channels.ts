import { channelStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedChannel, OpenSiteParts } from '../site.ts'
import { flag, moment, object, text } from '../source/cells.ts'
import { pagesOf } from '../source/source.ts'
import { createDecrypter } from './decrypt.ts'
import { providers, splitModel } from './providers.ts'

const modelRow = z.object({
  model_id: text,
  model_name: text,
  litellm_params: object,
  created_at: moment,
  blocked: flag,
})

const credentialRow = z.object({ credential_name: text, credential_values: object })

/** A model of the source: one channel here. */
export interface SourceModel {
  readonly id: string
  /** The name that clients ask for. */
  readonly name: string
  /** Decrypted; undefined where the salt key does not open it. */
  readonly params: Readonly<Record<string, string>> | undefined
  readonly figures: Readonly<Record<string, number>>
  readonly createdTime: number
  readonly blocked: boolean
}

/** What is encrypted is base64 of forty bytes at least; other text was stored as it is. */
const looksEncrypted = (value: string): boolean => /^(?:v2:gcm:)?[\w+/-]{54,}={0,2}$/.test(value)

type Decrypt = (value: string) => string | undefined

const readable = (values: Readonly<Record<string, unknown>>, decrypt: Decrypt): Record<string, string> | undefined => {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue
    const plain = decrypt(value) ?? (looksEncrypted(value) ? undefined : value)
    if (plain === undefined) return undefined
    found.set(name, plain)
  }
  return Object.fromEntries(found)
}

const figuresOf = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))

/** All models of the database; those of a configuration file are not in it. */
export const readModels = async ({ source, saltKey }: OpenSiteParts): Promise<readonly SourceModel[]> => {
  const decrypt = createDecrypter(saltKey)
  const credentials = new Map<string, Record<string, string> | undefined>()
  for await (const rows of pagesOf(source, 'LiteLLM_CredentialsTable', 'credential_name')) {
    for (const row of rows.map((cells) => credentialRow.parse(cells))) {
      credentials.set(row.credential_name, readable(row.credential_values, decrypt))
    }
  }
  const models: SourceModel[] = []
  for await (const rows of pagesOf(source, 'LiteLLM_ProxyModelTable', 'model_id')) {
    for (const row of rows.map((cells) => modelRow.parse(cells))) {
      const own = readable(row.litellm_params, decrypt)
      const shared = own?.litellm_credential_name
      const more = shared === undefined ? {} : credentials.get(shared)
      models.push({
        id: row.model_id,
        name: row.model_name,
        params: own === undefined || more === undefined ? undefined : { ...more, ...own },
        figures: figuresOf(row.litellm_params),
        createdTime: row.created_at ?? 0,
        blocked: row.blocked,
      })
    }
  }
  return models
}

const usedParams: ReadonlySet<string> = new Set([
  ...['model', 'api_key', 'api_base', 'base_url', 'api_version', 'litellm_credential_name', 'custom_llm_provider'],
  ...['vertex_credentials', 'vertex_location', 'vertex_project', 'aws_access_key_id', 'aws_secret_access_key'],
  ...['aws_region_name', 'weight', 'input_cost_per_token', 'output_cost_per_token', 'organization'],
])

const toChannel = ({ notes }: OpenSiteParts, model: SourceModel): MovedChannel | undefined => {
  const { params, figures } = model
  const shown = `${model.name} (${model.id})`
  if (params === undefined) {
    notes.note('channel_no_key', shown)
    return undefined
  }
  const split = splitModel(params.model ?? '')
  const provider = params.custom_llm_provider ?? split.provider
  const deployment = providers.get(provider)?.(params)
  if (deployment === undefined) {
    notes.note('channel_type', `${shown}: ${provider}`)
    return undefined
  }
  const unused = [...Object.keys(params), ...Object.keys(figures)].filter((name) => !usedParams.has(name))
  if (unused.length > 0) notes.note('channel_fields', `${shown}: ${unused.join(', ')}`)
  return {
    sourceId: model.id,
    ...deployment,
    name: shown,
    keyStatus: new Map(),
    status: model.blocked ? channelStatus.disabled : channelStatus.enabled,
    organization: params.organization ?? '',
    testModel: '',
    weight: Math.max(0, Math.round(figures.weight ?? 0)),
    createdTime: model.createdTime,
    models: model.name,
    group: 'default',
    usedQuota: 0,
    modelMapping: split.model === model.name ? '' : JSON.stringify({ [model.name]: split.model }),
    statusCodeMapping: '',
    priority: 0,
    autoBan: true,
    otherInfo: '',
    tag: '',
    setting: {},
    paramOverride: '',
  }
}

export async function* litellmChannels(
  parts: OpenSiteParts,
  models: readonly SourceModel[],
): AsyncGenerator<readonly MovedChannel[]> {
  yield models.map((model) => toChannel(parts, model)).filter((channel) => channel !== undefined)
}
