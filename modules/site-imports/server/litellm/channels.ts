import { channelHeaders, channelStatus } from '@tollgate/contract'
import { z } from 'zod'
import type { MovedChannel, OpenSiteParts } from '../site.ts'
import { flag, moment, object, text, texts } from '../source/cells.ts'
import { createDecrypter } from './decrypt.ts'
import { providers, splitModel } from './providers.ts'
import { rowsOf } from './rows.ts'

const modelRow = z.object({
  model_id: text,
  model_name: text,
  litellm_params: object,
  model_info: object,
  created_at: moment,
  blocked: flag,
})

const infoShape = z.object({
  access_groups: texts,
  team_id: text,
  team_public_model_name: text,
  base_model: text,
  input_cost_per_token: z.number().optional().catch(undefined),
  output_cost_per_token: z.number().optional().catch(undefined),
  cache_read_input_token_cost: z.number().optional().catch(undefined),
  cache_creation_input_token_cost: z.number().optional().catch(undefined),
})

const credentialRow = z.object({ credential_name: text, credential_values: object })

/** A model of the source: one channel here. */
export interface SourceModel {
  readonly id: string
  /** The name that clients ask for. */
  readonly name: string
  /** Decrypted; undefined where the salt key does not open it. */
  readonly params: Readonly<Record<string, string>> | undefined
  /** Numbers of the deployment, costs in dollars among them. */
  readonly figures: Readonly<Record<string, number>>
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /** Groups of models that it belongs to. */
  readonly accessGroups: readonly string[]
  /** The only team that may use it; empty for all. */
  readonly teamId: string
  /** The model whose price counts, where the deployment names one. */
  readonly baseModel: string
  readonly createdTime: number
  readonly blocked: boolean
}

/** Detects encrypted text: base64 of forty bytes at least; other text was stored as it is. */
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

const numbersIn = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))

/** Costs that were written as text, which the source encrypts like every text. */
const writtenNumbers = (params: Readonly<Record<string, string>> = {}): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]): [string, number][] =>
      /_cost_per_|_token_cost$/.test(name) && value.trim() !== '' && Number.isFinite(Number(value))
        ? [[name, Number(value)]]
        : [],
    ),
  )

/** The headers that a deployment sends with every request, as far as they may be set here. */
const headersIn = (params: Readonly<Record<string, unknown>>, decrypt: Decrypt): Readonly<Record<string, string>> => {
  const { extra_headers: headers } = params
  if (typeof headers !== 'object' || headers === null) return {}
  const texts = readable(headers as Readonly<Record<string, unknown>>, decrypt) ?? {}
  return Object.fromEntries(
    Object.entries(texts).filter(([name, value]) => channelHeaders.safeParse({ [name]: value }).success),
  )
}

/** All models of the database; those of a configuration file are not in it. */
export const readModels = async (parts: Pick<OpenSiteParts, 'source' | 'saltKey'>): Promise<readonly SourceModel[]> => {
  const decrypt = createDecrypter(parts.saltKey)
  const stored = await rowsOf(parts, {
    table: 'LiteLLM_CredentialsTable',
    column: 'credential_name',
    shape: credentialRow,
  })
  const credentials = new Map(stored.map((row) => [row.credential_name, readable(row.credential_values, decrypt)]))
  const rows = await rowsOf(parts, { table: 'LiteLLM_ProxyModelTable', column: 'model_id', shape: modelRow })
  return rows.map((row): SourceModel => {
    const own = readable(row.litellm_params, decrypt)
    const shared = own?.litellm_credential_name
    const more = shared === undefined ? {} : credentials.get(shared)
    const params = own === undefined || more === undefined ? undefined : { ...more, ...own }
    const info = infoShape.parse(row.model_info)
    return {
      id: row.model_id,
      name: info.team_public_model_name || row.model_name,
      params,
      figures: { ...numbersIn(info), ...writtenNumbers(params), ...numbersIn(row.litellm_params) },
      headers: headersIn(row.litellm_params, decrypt),
      accessGroups: info.access_groups,
      teamId: info.team_id,
      baseModel: info.base_model,
      createdTime: row.created_at ?? 0,
      blocked: row.blocked,
    }
  })
}

const usedParams: ReadonlySet<string> = new Set([
  ...['model', 'api_key', 'api_base', 'base_url', 'api_version', 'litellm_credential_name', 'custom_llm_provider'],
  ...['vertex_credentials', 'vertex_location', 'vertex_project', 'aws_access_key_id', 'aws_secret_access_key'],
  ...['aws_region_name', 'weight', 'order', 'organization', 'rpm', 'tpm', 'max_parallel_requests'],
  ...['input_cost_per_token', 'output_cost_per_token'],
  ...['cache_read_input_token_cost', 'cache_creation_input_token_cost'],
])

/** Values that stand in the environment of the source's program. */
const isInEnvironment = (value: string): boolean => value.startsWith('os.environ/')

/** Why a channel stays off until somebody has looked at it; noted. */
const needsCare = ({ notes }: OpenSiteParts, model: SourceModel, shown: string): boolean => {
  const variables = Object.values(model.params ?? {}).filter(isInEnvironment)
  if (variables.length > 0) notes.note('channel_env_key', `${shown}: ${variables.join(', ')}`)
  if (model.name.includes('*')) notes.note('channel_wildcard', shown)
  if (model.teamId !== '') notes.note('channel_team', `${shown}: ${model.teamId}`)
  return variables.length > 0 || model.name.includes('*') || model.teamId !== ''
}

/** The name of the deployment, after its provider, that the provider is asked for. */
export const upstreamModel = ({ params }: SourceModel): string => splitModel(params?.model ?? '').model

const toChannel = (parts: OpenSiteParts, model: SourceModel): MovedChannel | undefined => {
  const { notes } = parts
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
  const isOff = needsCare(parts, model, shown) || model.blocked
  return {
    sourceId: model.id,
    ...deployment,
    name: shown,
    keyStatus: new Map(),
    status: isOff ? channelStatus.disabled : channelStatus.enabled,
    organization: params.organization ?? '',
    testModel: '',
    weight: Math.max(0, Math.round(figures.weight ?? 0)),
    createdTime: model.createdTime,
    models: model.name,
    group: 'default',
    usedQuota: 0,
    modelMapping: split.model === model.name ? '' : JSON.stringify({ [model.name]: split.model }),
    statusCodeMapping: '',
    // The lowest order is asked first.
    priority: figures.order === undefined ? 0 : -Math.round(figures.order),
    autoBan: true,
    otherInfo: '',
    tag: '',
    setting: Object.keys(model.headers).length === 0 ? {} : { header_override: model.headers },
    paramOverride: '',
  }
}

export async function* litellmChannels(
  parts: OpenSiteParts,
  models: readonly SourceModel[],
): AsyncGenerator<readonly MovedChannel[]> {
  yield models.map((model) => toChannel(parts, model)).filter((channel) => channel !== undefined)
}
