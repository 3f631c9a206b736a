/** Lines of `name    sk-key`, the form in which clients of the mission's console copy keys. */
export const keyLines = (keys: readonly { name: string; key: string }[]): string =>
  keys.map(({ name, key }) => `${name}    ${key}`).join('\n')
