/** Failures from before a connection stood. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
])

/** True where the upstream cannot have received the request. */
export const neverSent = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && unsent.has(error.code)) ||
  // The egress guard refuses before it connects.
  ('code' in error && (error.code === 'address_blocked' || error.code === 'address_unknown'))
