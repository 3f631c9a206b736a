/** Characters of a line in a wide form, about. */
const lineLength = 90

/**
 * Rows of a field for a text of several lines, within bounds. It counts characters: a field that measures itself makes the browser lay
 * out the whole page once for each field, a second for the settings of a slow machine.
 */
export const rowsFor = (text: string, least: number, most: number): number => {
  let rows = 0
  for (const line of text.split('\n', most)) rows += Math.max(1, Math.ceil(line.length / lineLength))
  return Math.min(most, Math.max(least, rows))
}
