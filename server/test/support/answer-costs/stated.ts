/** Cost of one call as a client has read it. */
export interface Stated {
  /** Of its request; undefined over a WebSocket, and where its head has not come. */
  readonly id: string | undefined
  readonly receipt: string | undefined
  readonly dollars: string | undefined
}

const lastIn = (text: string, pattern: RegExp): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1]

/** Throws where an answer says two costs. */
export const gatewayCostIn = (text: string, headers?: Headers): Stated => {
  const plain = text.replaceAll('\\"', '"')
  const all = new Set([...plain.matchAll(/"cost":([\d.e-]+)/g)].map(([, cost]) => cost ?? ''))
  const inHead = headers?.get('x-tollgate-cost') ?? undefined
  if (inHead !== undefined) all.add(inHead)
  if (all.size > 1) throw new Error(`two costs: ${[...all].join(', ')} in ${text}`)
  const receipt = lastIn(plain, /"receipt":"([^"]*)"/g) ?? headers?.get('x-tollgate-receipt') ?? undefined
  return { id: headers?.get('x-oneapi-request-id') ?? undefined, receipt, dollars: [...all][0] }
}
