/** Names that a cost tag may have. */
const line = /^\s*([\w.-]{1,40})\s*:\s*(.{0,60}?)\s*$/

/** Reads `cost_centre: 7`, one tag a line; undefined where a line is no tag, a name stands twice, or there are too many. */
export const readTags = (text: string, most: number): Record<string, string> | undefined => {
  const tags = new Map<string, string>()
  for (const row of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, name, value = ''] = line.exec(row) ?? []
    if (name === undefined || tags.has(name)) return undefined
    tags.set(name, value)
  }
  return tags.size > most ? undefined : Object.fromEntries(tags)
}

/** The same tags, one a line. */
export const printTags = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Each tag as the log is filtered by it: `cost_centre=7`. */
export const listTags = (tags: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries(tags).map(([name, value]) => `${name}=${value}`)
