import { z } from 'zod'
import json from './claude-hosts.json' with { type: 'json' }

const betaNames = z
  .array(z.string().regex(/^[a-z0-9-]+-\d{4}-?\d\d-?\d\d$/))
  .min(1)
  .transform((names): ReadonlySet<string> => new Set(names))

/** Beta features of Anthropic that other hosts of Claude accept. */
const hostFacts = z.strictObject({
  host: z.enum(['bedrock', 'vertex']),
  /** URL of the page or issue that documents it. */
  source: z.url({ protocol: /^https$/ }),
  /** The day on which the page was read. */
  read: z.iso.date(),
  note: z.string().min(1),
  /** Names in `anthropic-beta` that the host takes; it refuses calls with others. */
  betas: betaNames,
  /** Models, by a pattern of their names, for which it takes fewer. */
  fewer: z
    .array(
      z.strictObject({
        models: z.string().transform((pattern) => new RegExp(pattern)),
        source: z.url({ protocol: /^https$/ }),
        betas: betaNames,
      }),
    )
    .exactOptional(),
})

export type ClaudeHostFacts = z.output<typeof hostFacts>

export const claudeHosts: readonly ClaudeHostFacts[] = z.array(hostFacts).parse(json)

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
