/** The fields that Telegram signed, out of `#tgAuthResult=<base64url of JSON>`; undefined when there are none. */
export const telegramAnswer = (hash: string): Record<string, string> | undefined => {
  const [, encoded] = /^#tgAuthResult=([\w\-+/=]+)$/.exec(hash) ?? []
  if (encoded === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
      character.charCodeAt(0),
    )
    const fields: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof fields !== 'object' || fields === null) return undefined
    return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  } catch {
    return undefined
  }
}
