"""A browser without scripts: it loads pages of Horizon, and submits their forms as a person would."""

import html.parser
import http.cookiejar
import urllib.parse
import urllib.request

from testbed import place

# Elements whose text a page keeps.
KEPT = ("th", "td", "dt", "dd", "textarea")


class Browser:
    """One user's session."""

    def __init__(self, address):
        self.address = address
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def log_in(self, user, path):
        """Logs a user in; returns the page that the user came for."""
        login = self.load("/auth/login/?" + urllib.parse.urlencode({"next": path}))
        return self.submit(login, "/auth/login/", username=user, password=place.PASSWORD)

    def load(self, path):
        return self._open(urllib.parse.urljoin(self.address, path))

    def submit(self, page, action, **changes):
        """Submits the page's form of an action, with other values of its fields; returns the page after it."""
        form = page.form(action)
        unknown = set(changes) - set(form.fields)
        if unknown:
            raise AssertionError("the form has no %s, but %s" % (", ".join(unknown), ", ".join(form.fields)))
        return self._send(page, form, {**form.fields, **changes})

    def press(self, page, action, button):
        """Presses the button with this value in a page's form; returns the page after it."""
        form = page.form(action)
        if button not in form.buttons:
            raise AssertionError("there is no button %s, but %s" % (button, ", ".join(form.buttons)))
        return self._send(page, form, {**form.fields, "action": button})

    def text(self, path):
        """Returns the text of a response that is no page."""
        with self.opener.open(urllib.parse.urljoin(self.address, path), timeout=60) as answer:
            return answer.read().decode()

    def _send(self, page, form, fields):
        body = urllib.parse.urlencode(fields, doseq=True)
        return self._open(urllib.parse.urljoin(page.url, form.action), body.encode())

    def _open(self, url, body=None):
        request = urllib.request.Request(url, body, {"Referer": url})
        with self.opener.open(request, timeout=60) as answer:
            return Page(answer.url, answer.read().decode())


class Form:
    """A form: the values of its fields, the choices of its lists, and the values of its buttons."""

    def __init__(self, action):
        self.action = action
        self.fields = {}
        self.choices = {}
        self.buttons = []


class Page(html.parser.HTMLParser):
    """A page: its forms, the rows of its table by column, its terms with their descriptions, and its messages."""

    def __init__(self, url, text):
        super().__init__()
        self.url = url
        self.path = urllib.parse.urlsplit(url).path
        self.forms, self.rows, self.terms, self.messages, self.links = [], [], {}, [], []
        self.columns, self.cells, self.term = [], [], None
        self.list, self.words, self.kept, self.divisions = None, [], None, 0
        self.feed(text)

    def form(self, action):
        """Returns the form of an action, which is a path."""
        for each in self.forms:
            if urllib.parse.urlsplit(urllib.parse.urljoin(self.url, each.action)).path == action:
                return each
        raise AssertionError("%s has no form for %s: %s" % (self.url, action, [each.action for each in self.forms]))

    def row(self, name):
        """Returns the row that has this name in a column."""
        for each in self.rows:
            if name in each.values():
                return each
        raise AssertionError("%s has no row of %s: %s" % (self.url, name, [*self.messages, *self.rows]))

    def says(self, words):
        """Returns true if a message has these words."""
        return any(words in each for each in self.messages)

    def handle_starttag(self, tag, attrs):
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(found.get("action", "")))
        elif tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "tr":
            self.cells = []
        elif tag == "div":
            self._divide(found.get("class", "").split())
        elif tag in KEPT:
            self.words, self.kept = [], found.get("name", "")
        if self.forms:
            self._field(tag, found)

    def handle_endtag(self, tag):
        if tag == "div" and self.divisions:
            self.divisions -= 1
            if not self.divisions:
                self.messages.append(self._said())
        elif tag == "tr" and self.cells:
            if len(self.cells) == len(self.columns):
                self.rows.append(dict(zip(self.columns, self.cells)))
        elif tag == "select":
            self.list = None
        elif tag in KEPT and self.kept is not None:
            self._keep(tag, self._said())

    def handle_data(self, data):
        self.words.append(data)

    def _said(self):
        return " ".join("".join(self.words).split())

    def _divide(self, classes):
        if self.divisions:
            self.divisions += 1
        elif "alert" in classes:
            self.words, self.divisions = [], 1

    def _keep(self, tag, text):
        if tag == "th":
            self.columns = [*self.columns, text]
        elif tag == "td":
            self.cells.append(text)
        elif tag == "dt":
            self.term = text
        elif tag == "dd":
            self.terms[self.term] = text
        elif self.forms:
            self.forms[-1].fields[self.kept] = text
        self.kept = None

    def _field(self, tag, found):
        form, name = self.forms[-1], found.get("name", "")
        if tag == "input" and name and found.get("type") not in ("submit", "button", "checkbox", "radio"):
            form.fields[name] = found.get("value", "")
        elif tag == "select":
            self.list = name
            form.fields[name] = [] if "multiple" in found else ""
            form.choices[name] = []
        elif tag == "option" and self.list is not None:
            self._choice(form, found.get("value", ""), "selected" in found)
        elif tag == "button" and name == "action":
            form.buttons.append(found.get("value", ""))

    def _choice(self, form, value, selected):
        """Adds a choice to the list. Like a browser, selects the first one of a list that permits only one."""
        if isinstance(form.fields[self.list], list):
            form.fields[self.list] += [value] if selected else []
        elif selected or not form.choices[self.list]:
            form.fields[self.list] = value
        form.choices[self.list].append(value)
