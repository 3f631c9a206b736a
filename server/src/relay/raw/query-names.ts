import { AppError } from '../../lib/app-error.ts'

/**
 * Query parameters of direct calls where makers are separated: paging, filters and forms of answers, as documented by the providers.
 * Parameters that change the form of the answer (`callback`) or the call itself (`$httpMethod`) are not among them.
 */
const passing: ReadonlySet<string> = new Set([
  // OpenAI and Azure OpenAI (platform.openai.com/docs/api-reference, learn.microsoft.com/azure/ai-services/openai/reference)
  ...['after', 'before', 'limit', 'order', 'purpose', 'include', 'include[]', 'include_obfuscation', 'starting_after'],
  ...['stream', 'filter', 'run_id', 'model', 'variant', 'type', 'api-version', 'intent', 'status', 'status[]'],
  ...['start_time', 'end_time', 'start_date', 'end_date', 'bucket_width', 'group_by', 'group_by[]'],
  // Anthropic (platform.claude.com/docs/en/api)
  ...['before_id', 'after_id', 'beta', 'page', 'source', 'scope_id'],
  // Google (ai.google.dev/api, cloud.google.com/apis/docs/system-parameters)
  ...['alt', '$alt', 'prettyPrint', '$prettyPrint', 'pageSize', 'page_size', 'pageToken', 'page_token', 'orderBy'],
  ...['uploadType', 'upload_id', 'upload_protocol', 'updateMask', 'update_mask', 'displayName', 'force', 'id'],
  ...['returnPartialSuccess', 'cachedContentId', 'tunedModelId', 'ragStoreName', 'view'],
  // Mistral (docs.mistral.ai/api)
  ...[
    'search',
    'sample_type',
    'created_after',
    'created_before',
    'created_by_me',
    'suffix',
    'agent_version',
    'agent_id',
  ],
  // DashScope, Zhipu, MiniMax and others: pages and the requested object, which the fence checks as an id
  ...['page_no', 'page_num', 'pageNumber', 'offset', 'cursor', 'size', 'sort', 'sort_by', 'sort_order', 'created_at'],
  ...[
    'GroupId',
    'task_id',
    'file_id',
    'batch_id',
    'job_id',
    'request_id',
    'name',
    'ids',
    'version',
    'action',
    'format',
  ],
])

/** Members of a filter by metadata: `metadata[customer]=7`. */
const metadata = /^metadata\[[\w.-]{1,64}\]$/

/** Names by which a server takes another method or other headers than those that were checked, in any spelling. */
const overriding = /^[$_-]*(?:x[_-]?)?(?:http|method)/i

/** Decodes a name as a server does: once, with `+` for a space. Undefined for invalid or doubly encoded names. */
const decodedName = (text: string): string | undefined => {
  try {
    const name = decodeURIComponent(text.replaceAll('+', ' '))
    return name.includes('%') ? undefined : name
  } catch {
    return undefined
  }
}

/** True if a value is fully decoded: a remaining percent sign would be decoded again by some servers. */
const readOnce = (text: string): boolean => !/%[0-9a-f]{2}/i.test(new URLSearchParams(`v=${text}`).get('v') ?? '')

const textAfter = (part: string): string => (part.includes('=') ? part.slice(part.indexOf('=') + 1) : '')

/** The parts of a query; `;` parts them for some servers, too. */
const namesIn = (query: string): (string | undefined)[] =>
  query
    .replace(/^\?/, '')
    .split(/[&;]/)
    .filter((part) => part !== '')
    .map((part) => decodedName(part.split('=', 1)[0] ?? ''))

const mayPass = (name: string): boolean => passing.has(name) || metadata.test(name)

/**
 * Refuses a query that could turn the call into another one. Where makers are separated (`fenced`), only listed names pass, and no value
 * that servers could decode in several ways. Throws AppError('invalid_url').
 */
export const checkQueryNames = (query: string, { fenced }: { readonly fenced: boolean }): void => {
  for (const name of namesIn(query)) {
    if (name === undefined || overriding.test(name) || (fenced && !mayPass(name))) throw new AppError('invalid_url')
  }
  if (fenced && (query.includes(';') || !query.split('&').every((part) => readOnce(textAfter(part)))))
    throw new AppError('invalid_url')
}
