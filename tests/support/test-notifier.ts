import type {
  BrowserNotification,
  BrowserNotifier,
  NotifierPermission,
} from '#ui/browser-notifier.ts';

/** A browser whose person answers the question with `answer`; it keeps what it is given to show. */
export class TestNotifier implements BrowserNotifier {
  now: NotifierPermission = 'default';
  asked = 0;
  isVisible = false;
  readonly shown: BrowserNotification[] = [];
  readonly #answer: NotifierPermission;
  constructor(answer: NotifierPermission = 'granted') {
    this.#answer = answer;
  }
  readonly permission = () => this.now;
  readonly requestPermission = () => {
    this.asked += 1;
    this.now = this.#answer;
    return Promise.resolve(this.now);
  };
  readonly isPageVisible = () => this.isVisible;
  readonly show = (notification: BrowserNotification) => {
    this.shown.push(notification);
  };
}
