import { defineMessages } from '../../../../lib/i18n.ts'

/** Texts of the test in the channel form. */
export const useFormTestMessages = defineMessages('channel-form-test', {
  zh: {
    title: '测试',
    model: '测试的模型',
    test: '测试',
    hint: '按当前填写的内容测试，不会保存',
    answered: '{{model}} 在 {{seconds}} 秒内应答',
    failed: '{{model}} 测试失败（{{seconds}} 秒）。',
  },
  en: {
    title: 'Test',
    model: 'Model to test',
    test: 'Test',
    hint: 'Tests what the form holds now; nothing is saved',
    answered: '{{model}} answered in {{seconds}} s',
    failed: '{{model}} failed after {{seconds}} s.',
  },
})
