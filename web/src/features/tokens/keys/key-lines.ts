/** Lines of `name    sk-key`, the established format for copied keys. */
export const keyLines = (keys: readonly { name: string; key: string }[]): string =>
  keys.map(({ name, key }) => `${name}    ${key}`).join('\n')
