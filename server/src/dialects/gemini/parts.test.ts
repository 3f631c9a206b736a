import { expect, it } from 'vitest'
import { readPart } from './parts.ts'

const call = (thoughtSignature?: string) => ({ functionCall: { name: 'ls', args: {} }, thoughtSignature })

it.each(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'])(
  'takes %s, which Gemini CLI adds to calls of other models, for no signature',
  (signature) => {
    expect(readPart(call(signature))).toEqual(readPart(call()))
    expect(readPart(call('AbCd'))).toMatchObject({ signature: 'AbCd' })
  },
)
