import { useChannelFormMessages } from '../form-messages.ts'
import { useChannelForm } from '../form-parts.tsx'
import { memberIn, readObject, withMember } from '../json-text.ts'
import { settingProblem } from '../rules.ts'

/** The channel's settings as members; their JSON is the one value that is stored. */
export interface Setting {
  /** The value of a member; undefined where it has none, or while the JSON is no object. */
  memberOf: (member: string) => unknown
  /** Sets or (undefined) removes a member. */
  set: (member: string, value: unknown) => void
  /** Props of an input of a member: disabled while the JSON is no object, the reason why it was refused, and what checks it when it is left. */
  propsOf: (member: string) => { disabled: boolean; error: string | undefined; onBlur: () => void }
}

export const useSetting = (): Setting => {
  const { form } = useChannelForm()
  const say = useChannelFormMessages()
  const { setting } = form.getValues()
  const isObject = readObject(setting) !== undefined
  const problem = form.errors.setting ? settingProblem(setting, say) : undefined
  return {
    memberOf: (member) => memberIn(setting, member),
    set: (member, value) => form.setFieldValue('setting', withMember(setting, member, value)),
    propsOf: (member) => ({
      disabled: !isObject,
      error: problem?.member === member ? problem.text : undefined,
      onBlur: () => void form.validateField('setting'),
    }),
  }
}
