export type SampleLanguage = 'curl' | 'python' | 'javascript'
export const sampleLanguages: readonly { value: SampleLanguage; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'python', label: 'Python' },
  { value: 'javascript', label: 'JavaScript' },
]

/** JSON words that Python spells its own way, outside of strings. */
const asPython = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g, (found, word: string | undefined) =>
    word === undefined ? found : word === 'true' ? 'True' : word === 'false' ? 'False' : 'None',
  )

/** The placeholder of a picture; its data would fill pages. */
const longestData = 200
const shortened = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('data:') && value.length > longestData
    ? `${value.slice(0, value.indexOf(',') + 1)}…`
    : value

/** The present conversation as a program; `group` belongs to the playground and is left out. */
export const codeSample = (
  language: SampleLanguage,
  baseUrl: string,
  { group: _, stream_options: __, ...request }: Record<string, unknown>,
): string => {
  const json = JSON.stringify(request, shortened, 2)
  if (language === 'curl')
    return [
      `curl ${baseUrl}/chat/completions \\`,
      '  -H "Authorization: Bearer $API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      `  -d '${json.replaceAll("'", "'\\''")}'`,
    ].join('\n')
  if (language === 'python')
    return [
      'from openai import OpenAI',
      '',
      `client = OpenAI(base_url="${baseUrl}", api_key="sk-…")`,
      '',
      `stream = client.chat.completions.create(**${asPython(json)})`,
      'for chunk in stream:',
      '    if chunk.choices:',
      '        print(chunk.choices[0].delta.content or "", end="")',
    ].join('\n')
  return [
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: 'sk-…' })`,
    '',
    `const stream = await client.chat.completions.create(${json})`,
    'for await (const chunk of stream) {',
    "  process.stdout.write(chunk.choices[0]?.delta?.content ?? '')",
    '}',
  ].join('\n')
}
