/** Something that happened at a point; its number stands above the chart. */
export interface ChartMark {
  readonly index: number
  readonly number: number
  readonly bad: boolean
}

interface DrawnMark {
  readonly x: number
  /** One number, or those from one to another. */
  readonly text: string
  readonly bad: boolean
}

const characterWidth = 6.6
const least = 18

/** How wide the shape around a mark's numbers is, in pixels. */
export const markWidth = (text: string): number => Math.max(least, text.length * characterWidth + 10)

/** Left edge of a mark's shape, moved inwards so that no edge of the chart cuts it off. */
export const shelter = (x: number, text: string, width: number): number =>
  Math.min(Math.max(0, x - markWidth(text) / 2), width - markWidth(text) - 1)

/** Marks in the order of time, those together whose numbers would cover each other. */
export const gathered = (marks: readonly ChartMark[], xOf: (index: number) => number): readonly DrawnMark[] => {
  const groups: ChartMark[][] = []
  for (const mark of marks) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (group && first && xOf(mark.index) - xOf(first.index) < least + 4) group.push(mark)
    else groups.push([mark])
  }
  return groups.map((group) => {
    const [first, last] = [group[0], group.at(-1)]
    const text = group.length === 1 ? String(first?.number) : `${first?.number}–${last?.number}`
    return { x: xOf(last?.index ?? 0), text, bad: group.some(({ bad }) => bad) }
  })
}
