import {
  type Agent,
  type AgentModel,
  contextOf,
  exports,
  jsonText,
  keyVariable,
  outputOf,
  providerId,
  providerName,
  quoted,
  shellText,
  variables,
} from './setup.ts'

/** Agents of the terminal by those who make models, and by GitHub. */

/** Claude Code knows Claude's windows itself, and takes another's for a million tokens unless it is told. */
const claudeCodeLimits = (main: AgentModel): Record<string, string> =>
  main.context === 0 || main.name.startsWith('claude-')
    ? {}
    : {
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(main.context),
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(outputOf(main)),
      }

/** code.claude.com/docs/en/settings, …/llm-gateway, …/model-config */
const claudeCode: Agent = {
  id: 'claude-code',
  name: 'Claude Code',
  api: 'messages',
  notes: ['merge_file'],
  write: ({ address, key, main }) => [
    jsonText('~/.claude/settings.json', {
      env: {
        ANTHROPIC_BASE_URL: address,
        ANTHROPIC_AUTH_TOKEN: key,
        ANTHROPIC_MODEL: main.name,
        ANTHROPIC_DEFAULT_OPUS_MODEL: main.name,
        ANTHROPIC_DEFAULT_SONNET_MODEL: main.name,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: main.name,
        ...claudeCodeLimits(main),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    }),
    shellText('claude'),
  ],
}

/** developers.openai.com/codex/config-reference */
const codex: Agent = {
  id: 'codex',
  name: 'Codex',
  api: 'responses',
  notes: ['merge_file'],
  write: ({ address, key, main }) => [
    {
      path: '~/.codex/config.toml',
      language: 'toml',
      text: [
        `model = ${quoted(main.name)}`,
        `model_provider = "${providerId}"`,
        ...(main.context > 0 ? [`model_context_window = ${main.context}`] : []),
        '',
        `[model_providers.${providerId}]`,
        `name = "${providerName}"`,
        `base_url = ${quoted(`${address}/v1`)}`,
        `env_key = "${keyVariable}"`,
        'wire_api = "responses"',
      ].join('\n'),
    },
    shellText(`${exports({ [keyVariable]: key })}\ncodex`),
  ],
}

/** `copilot help providers` */
const copilotCli: Agent = {
  id: 'copilot-cli',
  name: 'GitHub Copilot CLI',
  api: 'responses',
  notes: [],
  write: ({ address, key, main }) => [
    shellText(
      `${exports({
        COPILOT_PROVIDER_TYPE: 'openai',
        COPILOT_PROVIDER_WIRE_API: 'responses',
        COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
        COPILOT_PROVIDER_API_KEY: key,
        COPILOT_MODEL: main.name,
        COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(contextOf(main) - outputOf(main)),
        COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(outputOf(main)),
      })}\ncopilot`,
    ),
  ],
}

/** geminicli.com/docs/reference/configuration */
const geminiCli: Agent = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  api: 'gemini',
  notes: ['merge_file', 'renames_models'],
  write: ({ address, key, main }) => [
    jsonText('~/.gemini/settings.json', { security: { auth: { selectedType: 'gemini-api-key' } } }),
    {
      path: '~/.gemini/.env',
      language: 'bash',
      text: variables({ GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: main.name }),
    },
    shellText('gemini'),
  ],
}

export const makersAgents: readonly Agent[] = [claudeCode, codex, copilotCli, geminiCli]
