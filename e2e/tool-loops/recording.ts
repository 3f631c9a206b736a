/** One answer of the gateway as it went over the wire. */
export interface Recorded {
  readonly path: string
  readonly headers: Headers
  readonly text: Promise<string>
}

/** Listens to every call that official clients make of this gateway, until `end`. */
export const record = (url: string): { readonly answers: Recorded[]; end(): void } => {
  const answers: Recorded[] = []
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    const { pathname, origin } = new URL(response.url)
    if (origin === url && !pathname.startsWith('/api/'))
      answers.push({ path: pathname, headers: response.headers, text: response.clone().text() })
    return response
  }
  return {
    answers,
    end: () => {
      globalThis.fetch = fetch
    },
  }
}
