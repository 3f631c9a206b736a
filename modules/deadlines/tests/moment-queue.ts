/** A queue of entries by their moments, the least first: a binary heap. */
export const openQueue = <T>() => {
  const heap: { readonly at: number; readonly entry: T }[] = []
  const node = (index: number) => {
    const found = heap[index]
    if (found === undefined) throw new Error('no such node')
    return found
  }
  const swap = (left: number, right: number): void => {
    const [a, b] = [node(left), node(right)]
    heap[left] = b
    heap[right] = a
  }
  return {
    add(at: number, entry: T): void {
      heap.push({ at, entry })
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1
        if (node(parent).at <= node(index).at) return
        swap(parent, index)
        index = parent
      }
    },
    take(): { readonly at: number; readonly entry: T } | undefined {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2]
        let least = index
        if (left < heap.length && node(left).at < node(least).at) least = left
        if (right < heap.length && node(right).at < node(least).at) least = right
        if (least === index) return first
        swap(index, least)
        index = least
      }
    },
  }
}
