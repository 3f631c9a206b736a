import { expect, it } from 'vitest'
import { describeEachAddress } from '../../test/support/db/databases.ts'
import { fillFromTemplate } from '../../test/support/db/fill-from-template.ts'
import { openDatabase } from './engines/open.ts'
import { openCheckedSecrets } from './key-proof.ts'

const sourcesOf = (cryptoSecret: string) => ({ cryptoSecret, keyFile: 'unused' })

describeEachAddress('the proof of the key', (place) => {
  const sixNodes = async () => {
    const address = await place()
    await fillFromTemplate(address)
    const nodes = await Promise.all(Array.from({ length: 6 }, () => openDatabase(address)))
    const [first] = nodes
    if (first === undefined) throw new Error('no node')
    return { first, nodes }
  }

  it('lets nodes start together, as long as they have the same key', async () => {
    const { first, nodes } = await sixNodes()
    await Promise.all(nodes.map((node) => openCheckedSecrets(node, sourcesOf('shared'))))
    await expect(openCheckedSecrets(first, sourcesOf('another'))).rejects.toThrow('CRYPTO_SECRET')
    await Promise.all(nodes.map((node) => node.close()))
  })

  it('lets one of two keys win that meet on an empty database', async () => {
    const { nodes } = await sixNodes()
    const checked = await Promise.allSettled(
      nodes.map((node, at) => openCheckedSecrets(node, sourcesOf(at % 2 ? 'a' : 'b'))),
    )
    expect(checked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await Promise.all(nodes.map((node) => node.close()))
  })
})
