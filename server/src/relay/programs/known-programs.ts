/** A known client program. */
interface KnownProgram {
  /** Its own name; at most 40 characters. */
  readonly name: string
  /** Beginning of its `User-Agent`. */
  readonly agent: RegExp
  /** Its `X-Title` in lower case, where its `User-Agent` may be that of a library. */
  readonly title?: string
  /** Matches the beginning of its instructions, for a program without a header of its own. */
  readonly instructs?: RegExp
}

/** Applications; the first match wins. */
export const applications: readonly KnownProgram[] = [
  { name: 'Claude Code', agent: /^claude-(?:cli|code)\b/i },
  { name: 'Codex', agent: /^codex(?:[_-]|\b)/i },
  { name: 'Copilot CLI', agent: /^copilot(?:-?cli)?\//i, instructs: /^You are the GitHub Copilot CLI\b/ },
  { name: 'Gemini CLI', agent: /^gemini-?cli\b/i },
  { name: 'OpenCode', agent: /^opencode\d?\b/i, title: 'opencode' },
  { name: 'Kilo Code', agent: /^kilo(?:-?code)?\//i, title: 'kilo code' },
  { name: 'Roo Code', agent: /^roo-?code\b/i, title: 'roo code' },
  { name: 'Cline', agent: /^cline\b/i, title: 'cline', instructs: /^You are Cline\b/ },
  { name: 'Qwen Code', agent: /^qwen-?code\b/i, title: 'qwen code' },
  { name: 'Continue', agent: /^continue\b/i, title: 'continue' },
  { name: 'aider', agent: /^aider\b/i, title: 'aider' },
  { name: 'Goose', agent: /^goose\b/i, title: 'goose' },
  { name: 'Crush', agent: /^charm-crush\b/i },
  { name: 'pi', agent: /^pi[/ ]/, title: 'pi', instructs: /\boperating inside pi, a coding agent\b/ },
  { name: 'Droid', agent: /^factory-cli\b/i },
  { name: 'Cursor', agent: /^cursor\b/i },
  { name: 'Zed', agent: /^zed\b/i },
  { name: 'Visual Studio Code', agent: /^(?:vscode|visualstudiocode)\b/i },
  { name: 'Cherry Studio', agent: /^(?:mozilla\/.* )?cherrystudio\b/i, title: 'cherry studio' },
  { name: 'LiteLLM', agent: /^litellm\b/i },
  { name: 'Tollgate', agent: /^tollgate\b/i },
  { name: 'Edge', agent: /^mozilla\/.* edg\//i },
  { name: 'Firefox', agent: /^mozilla\/.* firefox\//i },
  { name: 'Chrome', agent: /^mozilla\/.* (?:headless)?chrome\//i },
  { name: 'Safari', agent: /^mozilla\/.* safari\//i },
]

/** Libraries of unnamed programs. The group is the language, where the header names it. */
export const libraries: readonly KnownProgram[] = [
  { name: 'OpenAI SDK', agent: /^(?:async)?(?:azure)?openai\/(python|js|java|kotlin|go|ruby|php|c#)?/i },
  { name: 'Anthropic SDK', agent: /^(?:async)?anthropic\w*\/(python|js|java|kotlin|go|ruby|php|c#)?/i },
  { name: 'Google Gen AI SDK', agent: /^google-genai-sdk\/\S*(?: gl-(python|node|go|java|dotnet))?/i },
  { name: 'Vercel AI SDK', agent: /^ai(?:-sdk)?\//i },
  { name: 'curl', agent: /^curl\//i },
  { name: 'Python requests', agent: /^python-requests\//i },
  { name: 'Python httpx', agent: /^python-httpx\//i },
  { name: 'Python aiohttp', agent: /^python\/\S+ aiohttp\//i },
  { name: 'Python urllib', agent: /^python-urllib\//i },
  { name: 'Node.js', agent: /^(?:node|undici)\b/i },
  { name: 'Go', agent: /^go-http-client\//i },
  { name: 'Postman', agent: /^postmanruntime\//i },
]

/** Languages as people write them, by the words of those headers and of `X-Stainless-Lang`. */
export const languages: ReadonlyMap<string, string> = new Map([
  ['python', 'Python'],
  ['js', 'JavaScript'],
  ['node', 'JavaScript'],
  ['java', 'Java'],
  ['kotlin', 'Kotlin'],
  ['go', 'Go'],
  ['ruby', 'Ruby'],
  ['php', 'PHP'],
  ['c#', '.NET'],
  ['csharp', '.NET'],
  ['dotnet', '.NET'],
])
