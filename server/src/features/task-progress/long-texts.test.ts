import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { useTasks } from '../../../test/support/features/task-scene.ts'

const texts: Readonly<Record<string, string>> = {
  '300 characters': 'x'.repeat(300),
  'a hundred thousand characters': 'x'.repeat(100_000),
  'a zero character': 'a\0b',
  'half a surrogate pair': 'a\ud83d',
}

const fields = ['status', 'progress', 'promptEn', 'description', 'state', 'imageUrl', 'buttons', 'properties'] as const

describeEachEngine('what a service says of a task', (open) => {
  const scene = useTasks(open)

  it.each(Object.keys(texts))('holds nothing up where it is %s', async (name) => {
    const text = texts[name] ?? ''
    const drawings = []
    for (const field of fields) {
      const drawing = await scene.draw()
      const isJson = field === 'buttons' || field === 'properties'
      scene.setState(drawing, { status: 'IN_PROGRESS', [field]: isJson ? { [text.slice(0, 50)]: text } : text })
      drawings.push(drawing)
    }
    const song = await scene.sing()
    scene.setState(song, { status: text, progress: text, data: [{ lyrics: text }] })
    const failed = await scene.draw()
    scene.setState(failed, { status: 'FAILURE', failReason: text })
    await scene.poll()

    for (const drawing of drawings) {
      const row = await scene.drawing(drawing)
      expect(row.status).not.toBe('SUBMITTED')
      expect(JSON.stringify(row).length).toBeLessThan(20_000)
    }
    expect((await scene.song(song)).status).not.toBe('NOT_START')
    expect(JSON.stringify(await scene.song(song)).length).toBeLessThan(20_000)
    expect(await scene.drawing(failed)).toMatchObject({ status: 'FAILURE', progress: '100%' })

    // Asked again, nothing is news.
    const before = JSON.stringify(await Promise.all(drawings.map(scene.drawing)))
    await scene.poll()
    expect(JSON.stringify(await Promise.all(drawings.map(scene.drawing)))).toBe(before)
  })
})
