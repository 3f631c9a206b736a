/** An idempotency key for the changes of one form: sending one again after an answer that did not arrive makes it once. */
export const newFormId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
