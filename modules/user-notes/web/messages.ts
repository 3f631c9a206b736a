import { defineMessages } from '#web/lib/i18n.ts'

/** Texts of notes about users. */
export const useNoteMessages = defineMessages('user-notes', {
  zh: {
    title: '备注',
    text: '关于该用户的备注',
    hint: '只有管理员能看到，例如开票信息或约定',
    add: '添加备注',
    added: '备注已添加',
    delete: '删除备注',
    deleted: '备注已删除',
    deleteTitle: '删除这条备注？',
    deleteEffect: '内容仍保留在操作记录中。',
    empty: '还没有备注。',
  },
  en: {
    title: 'Notes',
    text: 'Note about this user',
    hint: 'Visible to administrators only, e.g. billing details or agreements',
    add: 'Add note',
    added: 'Note added',
    delete: 'Delete note',
    deleted: 'Note deleted',
    deleteTitle: 'Delete this note?',
    deleteEffect: 'The text stays in the audit log.',
    empty: 'No notes yet.',
  },
})
