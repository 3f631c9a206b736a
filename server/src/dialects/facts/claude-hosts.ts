/** Beta features of Anthropic that other hosts of Claude accept. */
export interface ClaudeHostFacts {
  readonly host: 'bedrock' | 'vertex'
  /** URL of the page or issue that documents it. */
  readonly source: string
  /** The day on which the page was read. */
  readonly read: string
  /** Names in `anthropic-beta` that the host takes; it refuses calls with others. */
  readonly betas: ReadonlySet<string>
  /** Models for which it takes fewer. */
  readonly fewer?: readonly { readonly models: RegExp; readonly source: string; readonly betas: ReadonlySet<string> }[]
}

const read = '2026-11-29'

export const claudeHosts: readonly ClaudeHostFacts[] = [
  {
    host: 'bedrock',
    // Each name was tried alone in github.com/router-for-me/CLIProxyAPI/issues/4750; the others are in the guide of AWS.
    source:
      'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html',
    read,
    betas: new Set([
      'claude-code-20250219',
      'compact-2026-01-12',
      'computer-use-2024-10-22',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'dev-full-thinking-2025-05-14',
      'effort-2025-11-24',
      'fine-grained-tool-streaming-2025-05-14',
      'interleaved-thinking-2025-05-14',
      'output-128k-2025-02-19',
      'structured-outputs-2025-11-13',
      'structured-outputs-2025-12-15',
      'token-efficient-tools-2025-02-19',
      'tool-examples-2025-10-29',
      'tool-search-tool-2025-10-19',
    ]),
    fewer: [
      {
        models: /claude-opus-4[.-]7(?!\d)/,
        source: 'https://github.com/anthropics/claude-code/issues/49370',
        betas: new Set(['interleaved-thinking-2025-05-14']),
      },
    ],
  },
  {
    host: 'vertex',
    // github.com/anthropics/claude-code/issues/21625 and 34802 name what it refuses.
    source: 'https://github.com/BerriAI/litellm/blob/main/litellm/anthropic_beta_headers_config.json',
    read,
    betas: new Set([
      'claude-code-20250219',
      'compact-2026-01-12',
      'computer-use-2025-01-24',
      'computer-use-2025-11-24',
      'context-1m-2025-08-07',
      'context-management-2025-06-27',
      'interleaved-thinking-2025-05-14',
      'tool-search-tool-2025-10-19',
      'web-search-2025-03-05',
    ]),
  },
]

const search = ['tool-search-tool-2025-10-19', 'advanced-tool-use-2025-11-20'] as const

/** Members that exist with a beta feature only, and its names; an empty list for what only Anthropic has. */
export const betaMembers: Readonly<
  Record<'request' | 'thinking' | 'tools', Readonly<Record<string, readonly string[]>>>
> = {
  request: {
    context_management: ['context-management-2025-06-27', 'compact-2026-01-12'],
    output_format: ['structured-outputs-2025-11-13', 'structured-outputs-2025-12-15'],
    mcp_servers: ['mcp-client-2025-11-20', 'mcp-client-2025-04-04'],
    container: ['skills-2025-10-02', 'code-execution-2025-08-25'],
    speed: ['fast-mode-2026-02-01'],
    diagnostics: ['cache-diagnosis-2026-04-07'],
    inference_geo: [],
    service_tier: [],
  },
  thinking: {
    block_binding: ['thinking-binding-controls-2026-08-01'],
  },
  tools: {
    defer_loading: search,
    allowed_callers: ['advanced-tool-use-2025-11-20'],
    input_examples: ['tool-examples-2025-10-29', 'advanced-tool-use-2025-11-20'],
    eager_input_streaming: ['fine-grained-tool-streaming-2025-05-14'],
  },
}

/** The feature that `cache_control.scope` belongs to. */
export const scopeBeta = 'prompt-caching-scope-2026-01-05'

/** Features with which tools are searched, and results refer to tools. */
export const searchBetas: readonly string[] = search

const byHost = new Map(claudeHosts.map((row) => [row.host, row]))

/** The names that the host takes for the model. */
export const betasAt = (host: ClaudeHostFacts['host'], model: string): ReadonlySet<string> => {
  const row = byHost.get(host)
  return row?.fewer?.find(({ models }) => models.test(model))?.betas ?? row?.betas ?? new Set()
}
