/// <reference types="node" />
import { createHash } from 'node:crypto'
import { relative } from 'node:path'

const root = new URL('../src', import.meta.url).pathname
/** 52 letters to the power of four: a thousand names meet once in fifteen builds of different sources, and then the build ends. */
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const length = 4

const owners = new Map<string, string>()

/**
 * The name of a class in the build: short, since hundreds of them are in the scripts and again in the styles, and the same in
 * every build. Throws if two classes came to one name.
 */
export const className = (name: string, file: string): string => {
  const owner = `${relative(root, file.split('?')[0] ?? file)} ${name}`
  const digest = createHash('sha256').update(owner).digest()
  const short = Array.from({ length }, (_, index) => letters[digest.readUInt16BE(index * 2) % letters.length]).join('')
  if ((owners.get(short) ?? owner) !== owner)
    throw new Error(`${owner} and ${owners.get(short)} have the same short name`)
  owners.set(short, owner)
  return short
}
