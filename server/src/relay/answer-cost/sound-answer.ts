import type { AnswerText } from '../../dialects/passthrough.ts'
import { type Extras, noExtras } from '../../dialects/tools/tools-used.ts'
import type { RelayCall } from '../call.ts'
import type { OutgoingRequest, ResponseHead } from '../exchange/exchange.ts'
import { answerHeaders, type PrintedAnswer } from '../exchange/printed-answer.ts'
import { WholeAnswer } from '../exchange/whole-answer.ts'
import { headerText } from '../upstream/upstream.ts'
import { secondsOf } from '../usage/spoken-sound.ts'

/**
 * Spoken audio that is forwarded when it is whole, for a call that asked what it costs: the head is the only place of a sound that can
 * say it, and the cost is known at its end.
 */
export class SoundAnswer extends WholeAnswer {
  readonly json = {}
  readonly unsupported: readonly string[] = []
  private readonly sound: Buffer

  constructor(call: RelayCall, request: OutgoingRequest, head: ResponseHead, sound: Buffer) {
    super(call, request, head)
    this.sound = sound
  }

  soundSeconds(): number | undefined {
    return secondsOf(headerText(this.head.headers, 'content-type'), this.sound, this.sound.length)
  }

  output(): AnswerText {
    return { text: '', toolCalls: 0 }
  }

  extras(): Extras {
    return noExtras
  }

  print(): PrintedAnswer {
    const { status, headers } = this.head
    return { status, head: answerHeaders(headers, this.sound.length), bytes: this.sound }
  }

  protected reported(): undefined {
    return undefined
  }
}
