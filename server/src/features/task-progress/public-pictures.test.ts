import { expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/support/db/databases.ts'
import { openPublicPictures } from './public-pictures.ts'

const row = {
  code: 1,
  user_id: 7,
  channel_id: 3,
  quota: 50,
  action: 'IMAGINE',
  status: 'SUCCESS',
  progress: '100%',
  prompt: '',
  prompt_en: '',
  description: '',
  state: '',
  fail_reason: '',
  buttons: '[]',
  properties: '',
  submit_time: 1,
  start_time: 1,
  finish_time: 1,
}

describeWithDatabase('pictures of drawings by the upstream’s id', (open) => {
  it('are those of the newest drawing that has the id, whoever owns it', async () => {
    const database = await open()
    await database.insertMany('midjourneys', [
      { ...row, mj_id: 'a', image_url: 'https://cdn.test/old.png' },
      { ...row, mj_id: 'a', image_url: 'https://cdn.test/new.png' },
      { ...row, mj_id: 'unfinished', image_url: '' },
      { ...row, mj_id: '', image_url: 'https://cdn.test/nameless.png' },
    ])
    const pictures = openPublicPictures(database, async (type) => ({ type, parts: (async function* () {})() }))
    const addressOf = async (mjId: string) => (await pictures(mjId))?.type
    expect(await Promise.all(['a', 'unfinished', '', 'unknown'].map(addressOf))).toEqual([
      'https://cdn.test/new.png',
      undefined,
      undefined,
      undefined,
    ])
  })
})
